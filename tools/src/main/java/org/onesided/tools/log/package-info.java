/**
 * The log as lines of JSON.
 */
package org.onesided.tools.log;
