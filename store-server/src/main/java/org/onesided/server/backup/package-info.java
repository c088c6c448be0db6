/**
 * Copies of a whole table that clients take from a running server, and how a directory is made from one.
 */
package org.onesided.server.backup;
