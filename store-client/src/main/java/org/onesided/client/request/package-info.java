/**
 * Requests that the server answers: puts and deletes, alone or many together, lookups by request, and statistics. Each
 * is staged in a slot, posted and awaited by one engine, and has one outcome, whatever happens to the attachment.
 * Internal; it uses {@code session}, {@code bootstrap} (for how attaching failed), {@code exceptions} and {@code types}
 * only.
 */
package org.onesided.client.request;
