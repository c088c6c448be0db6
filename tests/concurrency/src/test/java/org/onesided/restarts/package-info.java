/**
 * Servers that end without warning and start again: killed, or their machine loses its power.
 */
package org.onesided.restarts;
