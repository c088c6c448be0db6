/**
 * Sessions: the handshake checks who a client is and connects its queue pairs; then its TCP connection is the session's
 * life line, until it is resumed over another one, or its lease runs out. All on the acceptor's thread.
 */
package org.onesided.server.session;
