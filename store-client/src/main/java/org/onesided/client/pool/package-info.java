/**
 * Lends a client's sessions to the threads that call it: to how many at a time, in which order, and when one more
 * session is opened. A package of its own, since none of it knows what a session does. Internal; it uses
 * {@code session}, {@code exceptions} and {@code types} only.
 */
package org.onesided.client.pool;
