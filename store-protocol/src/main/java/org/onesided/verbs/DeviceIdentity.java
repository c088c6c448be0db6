package org.onesided.verbs;

/**
 * What device it is (ibv_query_device(3)).
 *
 * @param firmware        version of the firmware, empty where there is none.
 * @param nodeGuid        globally unique identifier of the node, 0 where there is none.
 * @param vendorId        vendor's identifier, an IEEE OUI.
 * @param vendorPartId    the vendor's identifier of the part.
 * @param hardwareVersion version of the part.
 */
public record DeviceIdentity(String firmware, long nodeGuid, int vendorId, int vendorPartId, int hardwareVersion)
{
    /** Identity of a software device. */
    public static final DeviceIdentity SOFTWARE = new DeviceIdentity("", 0, 0, 0, 0);
}
