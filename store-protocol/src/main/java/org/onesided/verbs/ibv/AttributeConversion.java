package org.onesided.verbs.ibv;

import static org.onesided.verbs.ibv.QueuePairAttributesDescriptor.*;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;

/**
 * Writes and reads {@code ibv_qp_attr}.
 */
final class AttributeConversion
{
    private static final int BYTE_MASK = 0xFF;
    private static final int SHORT_MASK = 0xFFFF;
    private static final QueuePairState[] STATES = QueuePairState.values();

    private AttributeConversion()
    {
    }

    /**
     * @param from checked by {@link AttributeRanges}.
     * @param mask which of them count; only an address vector of these is looked at.
     * @param to   address of a zeroed {@code ibv_qp_attr}.
     */
    static void write(final QueuePairAttributes from, final int mask, final long to)
    {
        UnsafeApi.putInt(to + QP_STATE_OFFSET, from.state().ordinal());
        UnsafeApi.putInt(to + CUR_QP_STATE_OFFSET, from.currentState().ordinal());
        UnsafeApi.putInt(to + PATH_MTU_OFFSET, Mtu.code(from.pathMtu()));
        UnsafeApi.putInt(to + PATH_MIG_STATE_OFFSET, from.pathMigrationState());
        UnsafeApi.putInt(to + RQ_PSN_OFFSET, from.receivePsn());
        UnsafeApi.putInt(to + SQ_PSN_OFFSET, from.sendPsn());
        UnsafeApi.putInt(to + DEST_QP_NUM_OFFSET, from.destinationQueuePair());
        UnsafeApi.putInt(to + QP_ACCESS_FLAGS_OFFSET, from.accessFlags());
        UnsafeApi.putShort(to + PKEY_INDEX_OFFSET, (short)from.pkeyIndex());
        UnsafeApi.putByte(to + MAX_RD_ATOMIC_OFFSET, (byte)from.maxReadAtomic());
        UnsafeApi.putByte(to + MAX_DEST_RD_ATOMIC_OFFSET, (byte)from.maxDestinationReadAtomic());
        UnsafeApi.putByte(to + MIN_RNR_TIMER_OFFSET, (byte)from.minRnrTimer());
        UnsafeApi.putByte(to + PORT_NUM_OFFSET, (byte)from.port());
        UnsafeApi.putByte(to + TIMEOUT_OFFSET, (byte)from.timeout());
        UnsafeApi.putByte(to + RETRY_CNT_OFFSET, (byte)from.retryCount());
        UnsafeApi.putByte(to + RNR_RETRY_OFFSET, (byte)from.rnrRetry());
        if ((mask & AttributeMask.AV) != 0)
        {
            write(from.addressVector(), to + AH_ATTR_OFFSET);
        }
        if ((mask & AttributeMask.ALT_PATH) != 0)
        {
            write(from.alternatePath(), to + ALT_AH_ATTR_OFFSET);
            UnsafeApi.putByte(to + ALT_PORT_NUM_OFFSET, (byte)from.alternatePath().port());
            UnsafeApi.putByte(to + ALT_TIMEOUT_OFFSET, (byte)from.timeout());
            UnsafeApi.putShort(to + ALT_PKEY_INDEX_OFFSET, (short)from.pkeyIndex());
        }
    }

    /**
     * @param from address of an {@code ibv_qp_attr} that a query filled.
     * @return its values; a path that is not set is null.
     */
    static QueuePairAttributes read(final long from)
    {
        final QueuePairState state = state(from);
        return new QueuePairAttributes()
            .state(state)
            .currentState(state)
            .pathMtu(Mtu.bytes(UnsafeApi.getInt(from + PATH_MTU_OFFSET)))
            .pathMigrationState(UnsafeApi.getInt(from + PATH_MIG_STATE_OFFSET))
            .receivePsn(UnsafeApi.getInt(from + RQ_PSN_OFFSET))
            .sendPsn(UnsafeApi.getInt(from + SQ_PSN_OFFSET))
            .destinationQueuePair(UnsafeApi.getInt(from + DEST_QP_NUM_OFFSET))
            .accessFlags(UnsafeApi.getInt(from + QP_ACCESS_FLAGS_OFFSET))
            .pkeyIndex(UnsafeApi.getShort(from + PKEY_INDEX_OFFSET) & SHORT_MASK)
            .maxReadAtomic(byteAt(from + MAX_RD_ATOMIC_OFFSET))
            .maxDestinationReadAtomic(byteAt(from + MAX_DEST_RD_ATOMIC_OFFSET))
            .minRnrTimer(byteAt(from + MIN_RNR_TIMER_OFFSET))
            .port(byteAt(from + PORT_NUM_OFFSET))
            .timeout(byteAt(from + TIMEOUT_OFFSET))
            .retryCount(byteAt(from + RETRY_CNT_OFFSET))
            .rnrRetry(byteAt(from + RNR_RETRY_OFFSET))
            .addressVector(path(from + AH_ATTR_OFFSET))
            .alternatePath(path(from + ALT_AH_ATTR_OFFSET));
    }

    /**
     * @param from address of an {@code ibv_qp_attr} that a query filled.
     * @return the state.
     */
    static QueuePairState state(final long from)
    {
        final int value = UnsafeApi.getInt(from + QP_STATE_OFFSET);
        if (value < 0 || value >= STATES.length)
        {
            throw new VerbsException("query_qp", Errno.EIO, "the device does not know the state: qp_state=" + value);
        }
        return STATES[value];
    }

    private static void write(final AddressVector from, final long to)
    {
        if (from.gid() != null)
        {
            final long route = to + AddressVectorDescriptor.GRH_OFFSET;
            putGid(from.gid(), route + GlobalRouteDescriptor.DGID_OFFSET);
            UnsafeApi.putByte(route + GlobalRouteDescriptor.SGID_INDEX_OFFSET, (byte)from.gidIndex());
            UnsafeApi.putByte(route + GlobalRouteDescriptor.HOP_LIMIT_OFFSET, (byte)from.hopLimit());
            UnsafeApi.putByte(route + GlobalRouteDescriptor.TRAFFIC_CLASS_OFFSET, (byte)from.trafficClass());
            UnsafeApi.putByte(to + AddressVectorDescriptor.IS_GLOBAL_OFFSET, (byte)1);
        }
        UnsafeApi.putShort(to + AddressVectorDescriptor.DLID_OFFSET, (short)from.lid());
        UnsafeApi.putByte(to + AddressVectorDescriptor.SL_OFFSET, (byte)from.serviceLevel());
        UnsafeApi.putByte(to + AddressVectorDescriptor.PORT_NUM_OFFSET, (byte)from.port());
    }

    private static AddressVector path(final long from)
    {
        final int port = byteAt(from + AddressVectorDescriptor.PORT_NUM_OFFSET);
        if (port == 0)
        {
            return null;
        }
        final boolean isGlobal = byteAt(from + AddressVectorDescriptor.IS_GLOBAL_OFFSET) != 0;
        final long route = from + AddressVectorDescriptor.GRH_OFFSET;
        return new AddressVector(
            UnsafeApi.getShort(from + AddressVectorDescriptor.DLID_OFFSET) & SHORT_MASK,
            isGlobal ? gid(route + GlobalRouteDescriptor.DGID_OFFSET) : null,
            isGlobal ? byteAt(route + GlobalRouteDescriptor.SGID_INDEX_OFFSET) : 0,
            byteAt(from + AddressVectorDescriptor.SL_OFFSET),
            isGlobal ? byteAt(route + GlobalRouteDescriptor.TRAFFIC_CLASS_OFFSET) : 0,
            isGlobal ? byteAt(route + GlobalRouteDescriptor.HOP_LIMIT_OFFSET) : 0,
            port,
            new byte[0]);
    }

    private static void putGid(final Gid gid, final long address)
    {
        UnsafeApi.putLong(address, networkOrder(gid.high()));
        UnsafeApi.putLong(address + Long.BYTES, networkOrder(gid.low()));
    }

    private static Gid gid(final long address)
    {
        return new Gid(
            networkOrder(UnsafeApi.getLong(address)), networkOrder(UnsafeApi.getLong(address + Long.BYTES)));
    }

    private static long networkOrder(final long value)
    {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }

    private static int byteAt(final long address)
    {
        return UnsafeApi.getByte(address) & BYTE_MASK;
    }
}
