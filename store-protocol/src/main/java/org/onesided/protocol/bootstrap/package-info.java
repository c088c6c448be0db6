/**
 * How a session comes to be: messages over a TCP connection, framed by {@link
 * org.onesided.protocol.bootstrap.MessageChannel}, their fields by the generated {@code codec}. The order of the
 * messages is drawn in {@code bootstrap.xml}.
 *
 * <p>Messages travel in the clear. TLS will wrap the connection below {@code MessageChannel}; until then the token
 * keeps strangers out, and nothing keeps a listener on the wire from reading it.
 */
package org.onesided.protocol.bootstrap;
