/**
 * Tells the application how asynchronous operations ended: each is told once, whatever its callbacks do, which may
 * throw, block or close the client. A package of its own, since none of it knows how operations are carried out.
 * Internal; it uses {@code exceptions} only.
 */
package org.onesided.client.callback;
