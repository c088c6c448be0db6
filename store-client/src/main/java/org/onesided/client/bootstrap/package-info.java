/**
 * Reaching a server over TCP: its address, the connection within TLS or without, the handshake's messages, and when a
 * first attempt is made again. A package of its own, since a client bootstraps before it has a session, too, to ask for
 * the server's devices. Internal; it uses {@code exceptions} only.
 */
package org.onesided.client.bootstrap;
