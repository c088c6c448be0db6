package org.onesided.verbs.ibv;

import org.onesided.verbs.UseCount;

/**
 * What the objects made from a protection domain need of it.
 *
 * @param context it belongs to.
 * @param handle  address of the {@code ibv_pd}, good while something made from it is open.
 * @param uses    counts what was made from it.
 */
record NativeDomain(NativeContext context, long handle, UseCount uses)
{
}
