package org.onesided.verbs.soft;

import static org.onesided.verbs.AttributeMask.*;

import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.VerbsException;

/**
 * Checks the ranges of a queue pair's attributes, and copies them.
 */
final class AttributeRanges
{
    private static final int NUMBER_24_BITS = 0xFF_FFFF;
    private static final int ALL_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_ANY;

    private AttributeRanges()
    {
    }

    static void check(final QueuePairAttributes values, final int mask, final DeviceAttributes device)
    {
        check(mask, PKEY_INDEX, "pkey_index", values.pkeyIndex(), 0, 0);
        check(mask, PORT, "port", values.port(), 1, device.portCount());
        if ((mask & ACCESS_FLAGS) != 0 && (values.accessFlags() & ~ALL_ACCESS) != 0)
        {
            throw refused("access_flags", values.accessFlags());
        }
        if ((mask & AV) != 0)
        {
            check(values.addressVector(), device);
        }
        if ((mask & ALT_PATH) != 0)
        {
            check(values.alternatePath(), device);
        }
        if ((mask & PATH_MTU) != 0 &&
            (Integer.bitCount(values.pathMtu()) != 1 || values.pathMtu() < 256 || values.pathMtu() > 4096))
        {
            throw refused("path_mtu", values.pathMtu());
        }
        check(mask, DEST_QPN, "dest_qp_num", values.destinationQueuePair(), 1, NUMBER_24_BITS);
        check(mask, RQ_PSN, "rq_psn", values.receivePsn(), 0, NUMBER_24_BITS);
        check(mask, SQ_PSN, "sq_psn", values.sendPsn(), 0, NUMBER_24_BITS);
        check(mask, MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", values.maxDestinationReadAtomic(), 0,
            device.maxReadAtomic());
        check(mask, MAX_QP_RD_ATOMIC, "max_rd_atomic", values.maxReadAtomic(), 0, device.maxInitiatedReadAtomic());
        check(mask, MIN_RNR_TIMER, "min_rnr_timer", values.minRnrTimer(), 0, 31);
        check(mask, TIMEOUT, "timeout", values.timeout(), 0, 31);
        check(mask, RETRY_CNT, "retry_cnt", values.retryCount(), 0, 7);
        check(mask, RNR_RETRY, "rnr_retry", values.rnrRetry(), 0, 7);
        check(mask, PATH_MIG_STATE, "path_mig_state", values.pathMigrationState(), 0, 2);
    }

    /**
     * Copies the attributes of the mask, the state excepted.
     */
    static void copy(final QueuePairAttributes from, final QueuePairAttributes to, final int mask)
    {
        to.pkeyIndex((mask & PKEY_INDEX) != 0 ? from.pkeyIndex() : to.pkeyIndex());
        to.port((mask & PORT) != 0 ? from.port() : to.port());
        to.accessFlags((mask & ACCESS_FLAGS) != 0 ? from.accessFlags() : to.accessFlags());
        to.addressVector((mask & AV) != 0 ? from.addressVector() : to.addressVector());
        to.alternatePath((mask & ALT_PATH) != 0 ? from.alternatePath() : to.alternatePath());
        to.pathMtu((mask & PATH_MTU) != 0 ? from.pathMtu() : to.pathMtu());
        to.destinationQueuePair((mask & DEST_QPN) != 0 ? from.destinationQueuePair() : to.destinationQueuePair());
        to.receivePsn((mask & RQ_PSN) != 0 ? from.receivePsn() : to.receivePsn());
        to.sendPsn((mask & SQ_PSN) != 0 ? from.sendPsn() : to.sendPsn());
        to.maxDestinationReadAtomic(
            (mask & MAX_DEST_RD_ATOMIC) != 0 ? from.maxDestinationReadAtomic() : to.maxDestinationReadAtomic());
        to.maxReadAtomic((mask & MAX_QP_RD_ATOMIC) != 0 ? from.maxReadAtomic() : to.maxReadAtomic());
        to.minRnrTimer((mask & MIN_RNR_TIMER) != 0 ? from.minRnrTimer() : to.minRnrTimer());
        to.timeout((mask & TIMEOUT) != 0 ? from.timeout() : to.timeout());
        to.retryCount((mask & RETRY_CNT) != 0 ? from.retryCount() : to.retryCount());
        to.rnrRetry((mask & RNR_RETRY) != 0 ? from.rnrRetry() : to.rnrRetry());
        to.pathMigrationState((mask & PATH_MIG_STATE) != 0 ? from.pathMigrationState() : to.pathMigrationState());
    }

    private static void check(
        final int mask, final int bit, final String name, final int value, final int least, final int most)
    {
        if ((mask & bit) != 0 && (value < least || value > most))
        {
            throw new VerbsException("modify_qp", Errno.EINVAL,
                name + " is out of range " + least + " to " + most + ": " + name + "=" + value);
        }
    }

    private static void check(final AddressVector path, final DeviceAttributes device)
    {
        if (path == null || path.deviceBytes() == null)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the address vector or its device bytes are missing");
        }
        check(AV, AV, "ah_attr.sl", path.serviceLevel(), 0, 15);
        check(AV, AV, "ah_attr.grh.traffic_class", path.trafficClass(), 0, 255);
        check(AV, AV, "ah_attr.grh.hop_limit", path.hopLimit(), 0, 255);
        check(AV, AV, "ah_attr.grh.sgid_index", path.gidIndex(), 0, 0);
        check(AV, AV, "ah_attr.port_num", path.port(), 1, device.portCount());
        check(AV, AV, "ah_attr device bytes", path.deviceBytes().length, 0, AddressVector.MAX_DEVICE_BYTES);
    }

    private static VerbsException refused(final String name, final int value)
    {
        return new VerbsException("modify_qp", Errno.EINVAL, name + " is not a valid value: " + name + "=" + value);
    }
}
