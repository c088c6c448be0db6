/**
 * The bootstrap within TLS, and the certificates that tests make for it.
 */
package org.onesided.protocol.bootstrap;
