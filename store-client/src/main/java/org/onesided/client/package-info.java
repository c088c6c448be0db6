/**
 * The client library: lookups by RDMA READ, which cost the server no CPU, and changes by SEND.
 *
 * <p>{@link org.onesided.client.StoreClient}, of a server or a cluster, is thread-safe and lends sessions to calling
 * threads; {@link org.onesided.client.StoreSession} is one thread's own. Both offer
 * {@link org.onesided.client.StoreOperations}. All failures are
 * {@link org.onesided.client.exceptions.StoreException}s. Callbacks, settings and statistics are in {@code types}.
 *
 * <p>The packages {@code read}, {@code request}, {@code pool}, {@code session}, {@code bootstrap} and {@code callback}
 * are internal. This one puts their parts together and uses all of them; they use nothing of it.
 */
@NullMarked
package org.onesided.client;

import org.jspecify.annotations.NullMarked;
