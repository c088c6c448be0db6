/**
 * The server: {@link org.onesided.server.StoreServer} and what it is configured with.
 */
package org.onesided.server;
