/**
 * Lends a client's sessions to calling threads: how many at a time, in which order, and when another session is opened.
 * A separate package, because it does not depend on what a session does. Internal; it uses {@code session},
 * {@code exceptions} and {@code types} only.
 */
package org.onesided.client.pool;
