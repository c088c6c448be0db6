package org.onesided.verbs.ibv;

import static org.onesided.verbs.ibv.DeviceAttributesDescriptor.*;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.Gid;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;

/**
 * Reads structures that libibverbs filled in: attributes of devices and ports, and GIDs.
 */
final class AttributeReader
{
    private AttributeReader()
    {
    }

    /**
     * @param address           of an {@code ibv_device_attr}.
     * @param completionVectors of the open device.
     * @return the limits.
     */
    static DeviceAttributes device(final long address, final int completionVectors)
    {
        final long maxLength = UnsafeApi.getLong(address + MAX_MR_SIZE_OFFSET);
        return new DeviceAttributes(
            identity(address),
            UnsafeApi.getInt(address + MAX_QP_OFFSET),
            UnsafeApi.getInt(address + MAX_QP_WR_OFFSET),
            UnsafeApi.getInt(address + MAX_SGE_OFFSET),
            UnsafeApi.getInt(address + MAX_CQ_OFFSET),
            UnsafeApi.getInt(address + MAX_CQE_OFFSET),
            UnsafeApi.getInt(address + MAX_MR_OFFSET),
            maxLength < 0 ? Long.MAX_VALUE : maxLength,
            UnsafeApi.getInt(address + MAX_PD_OFFSET),
            UnsafeApi.getInt(address + MAX_QP_RD_ATOM_OFFSET),
            UnsafeApi.getInt(address + MAX_QP_INIT_RD_ATOM_OFFSET),
            UnsafeApi.getInt(address + MAX_SRQ_OFFSET),
            UnsafeApi.getInt(address + MAX_SRQ_WR_OFFSET),
            UnsafeApi.getInt(address + MAX_SRQ_SGE_OFFSET),
            completionVectors,
            UnsafeApi.getInt(address + ATOMIC_CAP_OFFSET) != ATOMIC_NONE,
            Byte.toUnsignedInt(UnsafeApi.getByte(address + PHYS_PORT_CNT_OFFSET)));
    }

    private static DeviceIdentity identity(final long address)
    {
        return new DeviceIdentity(
            text(address + FW_VER_OFFSET, FW_VER_LENGTH),
            networkLong(address + NODE_GUID_OFFSET),
            UnsafeApi.getInt(address + VENDOR_ID_OFFSET),
            UnsafeApi.getInt(address + VENDOR_PART_ID_OFFSET),
            UnsafeApi.getInt(address + HW_VER_OFFSET));
    }

    /**
     * @param address of an {@code ibv_port_attr}.
     * @return the port's state and limits.
     */
    static PortAttributes port(final long address)
    {
        return new PortAttributes(
            PortState.of(UnsafeApi.getInt(address + PortAttributesDescriptor.STATE_OFFSET)),
            linkLayer(UnsafeApi.getByte(address + PortAttributesDescriptor.LINK_LAYER_OFFSET)),
            Mtu.bytes(UnsafeApi.getInt(address + PortAttributesDescriptor.MAX_MTU_OFFSET)),
            Mtu.bytes(UnsafeApi.getInt(address + PortAttributesDescriptor.ACTIVE_MTU_OFFSET)),
            Integer.toUnsignedLong(UnsafeApi.getInt(address + PortAttributesDescriptor.MAX_MSG_SZ_OFFSET)),
            Short.toUnsignedInt(UnsafeApi.getShort(address + PortAttributesDescriptor.LID_OFFSET)),
            UnsafeApi.getInt(address + PortAttributesDescriptor.GID_TBL_LEN_OFFSET),
            lanes(Byte.toUnsignedInt(UnsafeApi.getByte(address + PortAttributesDescriptor.ACTIVE_WIDTH_OFFSET))),
            laneSpeed(Byte.toUnsignedInt(UnsafeApi.getByte(address + PortAttributesDescriptor.ACTIVE_SPEED_OFFSET))),
            (UnsafeApi.getByte(address + PortAttributesDescriptor.FLAGS_OFFSET) &
                PortAttributesDescriptor.QPF_GRH_REQUIRED) != 0);
    }

    /**
     * @param address of an {@code ibv_gid}.
     * @return the GID.
     */
    static Gid gid(final long address)
    {
        return new Gid(networkLong(address), networkLong(address + Long.BYTES));
    }

    /**
     * @param address of characters that a zero byte ends.
     * @param length  of the field, in bytes.
     * @return the text.
     */
    static String text(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        int count = 0;
        while (count < length && (bytes[count] = UnsafeApi.getByte(address + count)) != 0)
        {
            count++;
        }
        return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
    }

    private static String linkLayer(final byte code)
    {
        return switch (code)
        {
            // Drivers older than RoCE leave it unspecified.
            case PortAttributesDescriptor.LINK_LAYER_UNSPECIFIED, PortAttributesDescriptor.LINK_LAYER_INFINIBAND ->
                PortAttributes.INFINIBAND;
            case PortAttributesDescriptor.LINK_LAYER_ETHERNET -> PortAttributes.ETHERNET;
            default -> "link_layer=" + code;
        };
    }

    /** Codes of ib_port_width in the InfiniBand specification: bits in the order in which widths were invented. */
    private static int lanes(final int code)
    {
        return switch (code)
        {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    /** SDR, DDR, QDR, FDR10, FDR, EDR, HDR and NDR, as the specification rounds them. */
    private static int laneSpeed(final int code)
    {
        return switch (code)
        {
            case 1 -> 2_500;
            case 2 -> 5_000;
            case 4, 8 -> 10_000;
            case 16 -> 14_000;
            case 32 -> 25_000;
            case 64 -> 50_000;
            case 128 -> 100_000;
            default -> 0;
        };
    }

    private static long networkLong(final long address)
    {
        final long value = UnsafeApi.getLong(address);
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
