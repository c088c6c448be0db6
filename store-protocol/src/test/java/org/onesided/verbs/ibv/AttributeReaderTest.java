package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.DeviceIdentity;
import org.onesided.verbs.Gid;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.PortAttributes;
import org.onesided.verbs.PortState;

class AttributeReaderTest
{
    private final NativeArray memory = new NativeArray(256);
    private final long address = memory.range().address();

    @AfterEach
    void end()
    {
        memory.close();
    }

    @Test
    void shouldReadADevice()
    {
        for (int offset = 0; offset < DeviceAttributesDescriptor.LENGTH; offset += Integer.BYTES)
        {
            UnsafeApi.putInt(address + offset, offset);
        }
        FakeLibrary.text(address + DeviceAttributesDescriptor.FW_VER_OFFSET, "20.31.1014");
        UnsafeApi.putLong(
            address + DeviceAttributesDescriptor.NODE_GUID_OFFSET, Long.reverseBytes(0x506B_4B03_00AB_CDEFL));
        UnsafeApi.putLong(address + DeviceAttributesDescriptor.MAX_MR_SIZE_OFFSET, 1L << 40);
        UnsafeApi.putInt(address + DeviceAttributesDescriptor.ATOMIC_CAP_OFFSET, 0);
        UnsafeApi.putByte(address + DeviceAttributesDescriptor.PHYS_PORT_CNT_OFFSET, (byte)200);
        assertEquals(
            new DeviceAttributes(
                new DeviceIdentity(
                    "20.31.1014",
                    0x506B_4B03_00AB_CDEFL,
                    DeviceAttributesDescriptor.VENDOR_ID_OFFSET,
                    DeviceAttributesDescriptor.VENDOR_PART_ID_OFFSET,
                    DeviceAttributesDescriptor.HW_VER_OFFSET),
                DeviceAttributesDescriptor.MAX_QP_OFFSET,
                DeviceAttributesDescriptor.MAX_QP_WR_OFFSET,
                DeviceAttributesDescriptor.MAX_SGE_OFFSET,
                DeviceAttributesDescriptor.MAX_CQ_OFFSET,
                DeviceAttributesDescriptor.MAX_CQE_OFFSET,
                DeviceAttributesDescriptor.MAX_MR_OFFSET,
                1L << 40,
                DeviceAttributesDescriptor.MAX_PD_OFFSET,
                DeviceAttributesDescriptor.MAX_QP_RD_ATOM_OFFSET,
                DeviceAttributesDescriptor.MAX_QP_INIT_RD_ATOM_OFFSET,
                DeviceAttributesDescriptor.MAX_SRQ_OFFSET,
                DeviceAttributesDescriptor.MAX_SRQ_WR_OFFSET,
                DeviceAttributesDescriptor.MAX_SRQ_SGE_OFFSET,
                7,
                false,
                200),
            AttributeReader.device(address, 7));
        assertFalse(AttributeReader.device(address, 7).atomics());
    }

    @Test
    void shouldTakeAnUnboundedRegionForTheLongestThereIs()
    {
        UnsafeApi.putLong(address + DeviceAttributesDescriptor.MAX_MR_SIZE_OFFSET, -1);
        assertEquals(Long.MAX_VALUE, AttributeReader.device(address, 1).maxMemoryRegionLength());
    }

    @Test
    void shouldReadAPort()
    {
        UnsafeApi.putInt(address + PortAttributesDescriptor.STATE_OFFSET, 4);
        UnsafeApi.putInt(address + PortAttributesDescriptor.MAX_MTU_OFFSET, 5);
        UnsafeApi.putInt(address + PortAttributesDescriptor.ACTIVE_MTU_OFFSET, 3);
        UnsafeApi.putInt(address + PortAttributesDescriptor.GID_TBL_LEN_OFFSET, 255);
        UnsafeApi.putInt(address + PortAttributesDescriptor.MAX_MSG_SZ_OFFSET, 0x8000_0000);
        UnsafeApi.putShort(address + PortAttributesDescriptor.LID_OFFSET, (short)0xC001);
        UnsafeApi.putByte(address + PortAttributesDescriptor.ACTIVE_WIDTH_OFFSET, (byte)2);
        UnsafeApi.putByte(address + PortAttributesDescriptor.ACTIVE_SPEED_OFFSET, (byte)128);
        UnsafeApi.putByte(address + PortAttributesDescriptor.LINK_LAYER_OFFSET, (byte)2);
        assertEquals(
            new PortAttributes(
                PortState.ACTIVE, PortAttributes.ETHERNET, 4096, 1024, 1L << 31, 0xC001, 255, 4, 100_000),
            AttributeReader.port(address));
    }

    @Test
    void shouldReadWhetherAPortDemandsAGlobalRoute()
    {
        UnsafeApi.putByte(address + PortAttributesDescriptor.FLAGS_OFFSET, (byte)0xFE);
        assertFalse(AttributeReader.port(address).demandsRoute());
        UnsafeApi.putByte(address + PortAttributesDescriptor.FLAGS_OFFSET, (byte)1);
        assertTrue(AttributeReader.port(address).demandsRoute());
    }

    @Test
    void shouldReadAnUnspecifiedLinkLayerAsInfiniBand()
    {
        assertEquals(PortAttributes.INFINIBAND, linkLayer(0));
        assertEquals(PortAttributes.INFINIBAND, linkLayer(1));
        assertEquals("link_layer=9", linkLayer(9));
    }

    @Test
    void shouldKnowAllWidthsAndSpeeds()
    {
        final int[] lanes = { 1, 4, 8, 12, 2, 0, 0, 0 };
        final int[] speeds = { 2_500, 5_000, 10_000, 10_000, 14_000, 25_000, 50_000, 100_000 };
        for (int bit = 0; bit < 8; bit++)
        {
            UnsafeApi.putByte(address + PortAttributesDescriptor.ACTIVE_WIDTH_OFFSET, (byte)(1 << bit));
            UnsafeApi.putByte(address + PortAttributesDescriptor.ACTIVE_SPEED_OFFSET, (byte)(1 << bit));
            assertEquals(lanes[bit], AttributeReader.port(address).lanes());
            assertEquals(speeds[bit], AttributeReader.port(address).laneSpeed());
        }
        UnsafeApi.putByte(address + PortAttributesDescriptor.ACTIVE_SPEED_OFFSET, (byte)0);
        assertEquals(0, AttributeReader.port(address).laneSpeed());
    }

    @Test
    void shouldReadAGid()
    {
        UnsafeApi.putLong(address, Long.reverseBytes(0xFE80_0000_0000_0001L));
        UnsafeApi.putLong(address + Long.BYTES, Long.reverseBytes(0x0102_0304_0506_0708L));
        assertEquals(new Gid(0xFE80_0000_0000_0001L, 0x0102_0304_0506_0708L), AttributeReader.gid(address));
    }

    @Test
    void shouldReadNoFurtherThanTheField()
    {
        UnsafeApi.setMemory(address, 64, (byte)'x');
        assertEquals("xxxx", AttributeReader.text(address, 4));
        assertEquals("", AttributeReader.text(address + 64, 4));
    }

    private String linkLayer(final int code)
    {
        UnsafeApi.putByte(address + PortAttributesDescriptor.LINK_LAYER_OFFSET, (byte)code);
        return AttributeReader.port(address).linkLayer();
    }
}
