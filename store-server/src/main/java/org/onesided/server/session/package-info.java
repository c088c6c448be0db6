/**
 * The acceptor: it greets clients, checks who they are, connects their queue pairs, and keeps the TCP connection of
 * each session as its life line. One thread and one selector for all of them; a client that is slow costs nobody else
 * anything, and itself its connection when the deadline passes.
 */
package org.onesided.server.session;
