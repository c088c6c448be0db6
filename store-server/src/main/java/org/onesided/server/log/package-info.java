/**
 * What a shard asks of its log, and the layout of the entries in it. Who writes the log is not known here.
 */
package org.onesided.server.log;
