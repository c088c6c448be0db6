/**
 * Connections with a server over TCP: its address, with or without TLS, the messages of the handshake, and repeated
 * first attempts. A separate package, because a client also bootstraps before it has a session, to ask for the server's
 * devices. Internal; it uses {@code exceptions} only.
 */
package org.onesided.client.bootstrap;
