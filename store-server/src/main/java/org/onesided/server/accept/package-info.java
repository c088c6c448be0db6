/**
 * The acceptor listens, starts handshakes, and serves each connection in turn, with one thread and one selector. A slow
 * client delays no other, and loses its connection when its deadline passes.
 */
package org.onesided.server.accept;
