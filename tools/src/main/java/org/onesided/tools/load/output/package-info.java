/**
 * Results of load runs, and the forms in which they are written. {@code docs/load.md} describes the JSON.
 */
package org.onesided.tools.load.output;
