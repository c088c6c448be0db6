/**
 * How a session comes to be: messages over a TCP connection, framed by {@link
 * org.onesided.protocol.bootstrap.MessageChannel}, their fields by the generated {@code codec}. The order of the
 * messages is drawn in {@code bootstrap.xml}.
 *
 * <p>Where {@link org.onesided.protocol.bootstrap.TlsOptions} are given, the messages travel within TLS 1.3, and what
 * carries them is hidden below {@code MessageChannel}; elsewhere they travel in the clear, the token included.
 */
package org.onesided.protocol.bootstrap;
