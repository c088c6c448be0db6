/**
 * A view of a store whose keys and values are objects: {@link org.onesided.client.typed.TypedStore}.
 */
package org.onesided.client.typed;
