/**
 * The server: {@link org.onesided.server.StoreServer} and what it is configured with.
 */
@NullMarked
package org.onesided.server;

import org.jspecify.annotations.NullMarked;
