/**
 * The directory of a table that outlives the server's process: whose it is, and what is kept of the table beside its
 * log and its snapshots.
 */
package org.onesided.server.data;
