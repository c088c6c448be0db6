/**
 * A view of a store whose keys and values are objects: {@link org.onesided.client.typed.TypedStore}.
 */
@NullMarked
package org.onesided.client.typed;

import org.jspecify.annotations.NullMarked;
