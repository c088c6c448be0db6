/**
 * Results of load runs as a page for browsers, and several beside each other.
 */
package org.onesided.tools.load.report;
