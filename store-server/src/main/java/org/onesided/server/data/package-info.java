/**
 * The directory of a table that outlives the server's process.
 */
package org.onesided.server.data;
