package org.onesided.verbs.ibv;

import static org.onesided.verbs.AttributeMask.*;

import org.onesided.verbs.Access;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.VerbsException;

/**
 * Refuses attributes that exceed their fields, where they would be truncated, and attributes that not every driver
 * checks. The kernel checks what it knows better, such as the existing GIDs and P_Keys.
 */
final class AttributeRanges
{
    private static final int BITS_24 = 0xFF_FFFF;
    private static final int BITS_16 = 0xFFFF;
    private static final int BITS_8 = 0xFF;
    private static final int ALL_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_ANY | Access.MW_BIND;

    private AttributeRanges()
    {
    }

    static void check(final QueuePairAttributes values, final int mask, final DeviceAttributes device)
    {
        check(mask, PKEY_INDEX, "pkey_index", values.pkeyIndex(), 0, BITS_16);
        check(mask, PORT, "port_num", values.port(), 1, device.portCount());
        if ((mask & ACCESS_FLAGS) != 0 && (values.accessFlags() & ~ALL_ACCESS) != 0)
        {
            throw refused("qp_access_flags", values.accessFlags());
        }
        if ((mask & AV) != 0)
        {
            check(values.addressVector(), device);
        }
        if ((mask & ALT_PATH) != 0)
        {
            check(values.alternatePath(), device);
        }
        if ((mask & PATH_MTU) != 0 && Mtu.code(values.pathMtu()) == 0)
        {
            throw refused("path_mtu", values.pathMtu());
        }
        check(mask, DEST_QPN, "dest_qp_num", values.destinationQueuePair(), 1, BITS_24);
        check(mask, RQ_PSN, "rq_psn", values.receivePsn(), 0, BITS_24);
        check(mask, SQ_PSN, "sq_psn", values.sendPsn(), 0, BITS_24);
        check(mask, MAX_DEST_RD_ATOMIC, "max_dest_rd_atomic", values.maxDestinationReadAtomic(), 0,
            Math.min(BITS_8, device.maxReadAtomic()));
        check(mask, MAX_QP_RD_ATOMIC, "max_rd_atomic", values.maxReadAtomic(), 0,
            Math.min(BITS_8, device.maxInitiatedReadAtomic()));
        check(mask, MIN_RNR_TIMER, "min_rnr_timer", values.minRnrTimer(), 0, 31);
        check(mask, TIMEOUT, "timeout", values.timeout(), 0, 31);
        check(mask, RETRY_CNT, "retry_cnt", values.retryCount(), 0, 7);
        check(mask, RNR_RETRY, "rnr_retry", values.rnrRetry(), 0, 7);
        check(mask, PATH_MIG_STATE, "path_mig_state", values.pathMigrationState(), 0, 2);
    }

    private static void check(final AddressVector path, final DeviceAttributes device)
    {
        if (path == null)
        {
            throw new VerbsException("modify_qp", Errno.EINVAL, "the address vector is missing: ah_attr=null");
        }
        check(AV, AV, "ah_attr.dlid", path.lid(), 0, BITS_16);
        check(AV, AV, "ah_attr.sl", path.serviceLevel(), 0, 15);
        check(AV, AV, "ah_attr.grh.traffic_class", path.trafficClass(), 0, BITS_8);
        check(AV, AV, "ah_attr.grh.hop_limit", path.hopLimit(), 0, BITS_8);
        check(AV, AV, "ah_attr.grh.sgid_index", path.gidIndex(), 0, BITS_8);
        check(AV, AV, "ah_attr.port_num", path.port(), 1, device.portCount());
    }

    private static void check(
        final int mask, final int bit, final String name, final int value, final int least, final int most)
    {
        if ((mask & bit) != 0)
        {
            Ranges.check("modify_qp", name, value, least, most);
        }
    }

    private static VerbsException refused(final String name, final int value)
    {
        return new VerbsException("modify_qp", Errno.EINVAL, name + " is not a valid value: " + name + "=" + value);
    }
}
