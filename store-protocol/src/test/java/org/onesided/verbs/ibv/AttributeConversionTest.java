package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.Gid;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

class AttributeConversionTest
{
    private static final Gid GID = new Gid(0xFE80_0000_0000_0000L, 0x0011_2233_4455_6677L);

    private final NativeArray memory = new NativeArray(QueuePairAttributesDescriptor.LENGTH);
    private final long address = memory.range().address();

    @AfterEach
    void free()
    {
        memory.close();
    }

    @Test
    void shouldReadWhatItWrote()
    {
        final QueuePairAttributes from = attributes().addressVector(global()).alternatePath(local());
        AttributeConversion.write(from, AttributeMask.AV | AttributeMask.ALT_PATH, address);
        final QueuePairAttributes to = AttributeConversion.read(address);
        assertEquals(from.state(), to.state());
        assertEquals(from.pathMtu(), to.pathMtu());
        assertEquals(from.pathMigrationState(), to.pathMigrationState());
        assertEquals(from.receivePsn(), to.receivePsn());
        assertEquals(from.sendPsn(), to.sendPsn());
        assertEquals(from.destinationQueuePair(), to.destinationQueuePair());
        assertEquals(from.accessFlags(), to.accessFlags());
        assertEquals(from.pkeyIndex(), to.pkeyIndex());
        assertEquals(from.maxReadAtomic(), to.maxReadAtomic());
        assertEquals(from.maxDestinationReadAtomic(), to.maxDestinationReadAtomic());
        assertEquals(from.minRnrTimer(), to.minRnrTimer());
        assertEquals(from.port(), to.port());
        assertEquals(from.timeout(), to.timeout());
        assertEquals(from.retryCount(), to.retryCount());
        assertEquals(from.rnrRetry(), to.rnrRetry());
        expect(global(), to.addressVector());
        expect(local(), to.alternatePath());
    }

    @Test
    void shouldWriteAGidInNetworkOrderAndSayThatItCounts()
    {
        AttributeConversion.write(attributes().addressVector(global()), AttributeMask.AV, address);
        final long path = address + QueuePairAttributesDescriptor.AH_ATTR_OFFSET;
        final byte[] gid = new byte[Gid.LENGTH];
        for (int i = 0; i < gid.length; i++)
        {
            gid[i] = UnsafeApi.getByte(path + AddressVectorDescriptor.GRH_OFFSET + i);
        }
        assertArrayEquals(
            new byte[] {(byte)0xFE, (byte)0x80, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77}, gid);
        assertEquals(1, UnsafeApi.getByte(path + AddressVectorDescriptor.IS_GLOBAL_OFFSET));
    }

    @Test
    void shouldLeaveTheRouteOutWhereAddressingIsByLid()
    {
        AttributeConversion.write(attributes().addressVector(local()), AttributeMask.AV, address);
        final long path = address + QueuePairAttributesDescriptor.AH_ATTR_OFFSET;
        for (int i = 0; i < GlobalRouteDescriptor.LENGTH; i++)
        {
            assertEquals(0, UnsafeApi.getByte(path + AddressVectorDescriptor.GRH_OFFSET + i));
        }
        assertEquals(0, UnsafeApi.getByte(path + AddressVectorDescriptor.IS_GLOBAL_OFFSET));
        assertEquals((short)0xC001, UnsafeApi.getShort(path + AddressVectorDescriptor.DLID_OFFSET));
        assertEquals(3, UnsafeApi.getByte(path + AddressVectorDescriptor.SL_OFFSET));
    }

    @Test
    void shouldLookAtNoPathThatDoesNotCount()
    {
        AttributeConversion.write(attributes(), AttributeMask.STATE, address);
        assertNull(AttributeConversion.read(address).addressVector());
        assertNull(AttributeConversion.read(address).alternatePath());
    }

    @Test
    void shouldWriteStateAndMtuAsTheLibraryHasThem()
    {
        AttributeConversion.write(
            attributes().state(QueuePairState.ERR).currentState(QueuePairState.RTS), AttributeMask.STATE, address);
        assertEquals(6, UnsafeApi.getInt(address + QueuePairAttributesDescriptor.QP_STATE_OFFSET));
        assertEquals(3, UnsafeApi.getInt(address + QueuePairAttributesDescriptor.CUR_QP_STATE_OFFSET));
        assertEquals(4, UnsafeApi.getInt(address + QueuePairAttributesDescriptor.PATH_MTU_OFFSET));
    }

    @Test
    void shouldNotTakeAStateThatIsNone()
    {
        for (final int state : new int[] {-1, 7, 99})
        {
            UnsafeApi.putInt(address + QueuePairAttributesDescriptor.QP_STATE_OFFSET, state);
            assertThrows(VerbsException.class, () -> AttributeConversion.read(address));
        }
    }

    private static QueuePairAttributes attributes()
    {
        return new QueuePairAttributes()
            .state(QueuePairState.RTS)
            .currentState(QueuePairState.RTR)
            .pathMtu(2048)
            .pathMigrationState(1)
            .receivePsn(0xABCDEF)
            .sendPsn(0x123456)
            .destinationQueuePair(0xFEDCBA)
            .accessFlags(Access.REMOTE_ANY)
            .pkeyIndex(0xFFFE)
            .maxReadAtomic(200)
            .maxDestinationReadAtomic(255)
            .minRnrTimer(31)
            .port(2)
            .timeout(18)
            .retryCount(6)
            .rnrRetry(7);
    }

    private static AddressVector global()
    {
        return new AddressVector(0, GID, 200, 5, 106, 255, 1, new byte[0]);
    }

    private static AddressVector local()
    {
        return new AddressVector(0xC001, null, 0, 3, 0, 0, 2, new byte[0]);
    }

    private static void expect(final AddressVector expected, final AddressVector actual)
    {
        assertEquals(expected.toString().replaceFirst("deviceBytes.*", ""),
            actual.toString().replaceFirst("deviceBytes.*", ""));
        assertEquals(0, actual.deviceBytes().length);
    }
}
