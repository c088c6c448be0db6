/**
 * The store as a cache by JSR-107 (JCache): {@link org.onesided.client.jcache.OnesidedCachingProvider}. The application
 * brings {@code javax.cache:cache-api}.
 */
@NullMarked
package org.onesided.client.jcache;

import org.jspecify.annotations.NullMarked;
