package org.onesided.verbs.ibv;

import org.onesided.verbs.Device;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.UseCount;

/**
 * What the objects made from an open device need of it.
 *
 * @param device  that is open.
 * @param library that opened it.
 * @param handle  address of the {@code ibv_context}, good while something made from it is open.
 * @param limits  of the device.
 * @param uses    counts what was made from it.
 */
record NativeContext(Device device, IbvLibrary library, long handle, DeviceAttributes limits, UseCount uses)
{
}
