/**
 * Sessions. The handshake authenticates a client and connects its queue pairs. Then its TCP connection is the session's
 * life line, until another connection resumes the session or the lease expires. Everything runs on the acceptor's
 * thread.
 */
package org.onesided.server.session;
