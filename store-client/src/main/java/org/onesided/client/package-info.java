/**
 * The client library: lookups by RDMA READ, which cost the server no CPU, and changes by SEND.
 *
 * <p>{@link org.onesided.client.StoreClient} is thread-safe and lends sessions to calling threads;
 * {@link org.onesided.client.StoreSession} is one thread's own. Both offer
 * {@link org.onesided.client.StoreOperations}. All failures are {@link org.onesided.client.exceptions.StoreException}s.
 */
package org.onesided.client;
