/**
 * Tells clients how a member of a cluster stands with the others, and lets other members lead what it leads, as clients
 * ask. Internal to the server.
 */
package org.onesided.server.operating;
