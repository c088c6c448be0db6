/**
 * A session with a server: how it attaches, stays alive, loses its attachment and gets another, and what all its
 * operations share (deadline, buffers, counters, the table's layout and its mirror). It knows neither lookups nor
 * requests: lookups READ over an {@link org.onesided.client.session.Attachment}, and requests go from one attachment
 * to the next as {@link org.onesided.client.session.PendingRequests}. Internal; it uses {@code bootstrap},
 * {@code exceptions} and {@code types} only.
 */
package org.onesided.client.session;
