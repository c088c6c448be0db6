/**
 * The acceptor: it listens, lets clients begin their handshakes, and gives each connection its turn. One thread and one
 * selector for all of them; a client that is slow costs nobody else anything, and itself its connection when the
 * deadline passes.
 */
package org.onesided.server.accept;
