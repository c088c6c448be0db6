/**
 * How the tools write what people read.
 */
package org.onesided.tools.text;
