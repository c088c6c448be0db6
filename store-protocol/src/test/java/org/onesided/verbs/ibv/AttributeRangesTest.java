package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.verbs.AttributeMask.*;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.AddressVector;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.QueuePairAttributes;
import org.onesided.verbs.VerbsException;

class AttributeRangesTest
{
    /** Answers 16 READs, initiates 8, has 2 ports. */
    private static final DeviceAttributes DEVICE =
        new DeviceAttributes(null, 1, 1, 1, 1, 1, 1, 1, 1, 16, 8, 1, 1, 1, 1, true, 2);
    private static final int ALL =
        PKEY_INDEX | PORT | ACCESS_FLAGS | AV | ALT_PATH | PATH_MTU | DEST_QPN | RQ_PSN | SQ_PSN |
            MAX_DEST_RD_ATOMIC | MAX_QP_RD_ATOMIC | MIN_RNR_TIMER | TIMEOUT | RETRY_CNT | RNR_RETRY | PATH_MIG_STATE;

    @Test
    void shouldTakeWhatIsInRange()
    {
        assertDoesNotThrow(() -> AttributeRanges.check(good(), ALL, DEVICE));
    }

    @Test
    void shouldLookOnlyAtWhatCounts()
    {
        assertDoesNotThrow(() -> AttributeRanges.check(new QueuePairAttributes().port(-1).timeout(99), STATE, DEVICE));
    }

    @Test
    void shouldRefuseByNameWhatWouldBeCutOff()
    {
        refuse("port_num", (v) -> v.port(257));
        refuse("port_num", (v) -> v.port(0));
        refuse("pkey_index", (v) -> v.pkeyIndex(0x1_0000));
        refuse("dest_qp_num", (v) -> v.destinationQueuePair(1 << 24));
        refuse("dest_qp_num", (v) -> v.destinationQueuePair(0));
        refuse("rq_psn", (v) -> v.receivePsn(1 << 24));
        refuse("sq_psn", (v) -> v.sendPsn(-1));
        refuse("max_dest_rd_atomic", (v) -> v.maxDestinationReadAtomic(17));
        refuse("max_rd_atomic", (v) -> v.maxReadAtomic(9));
        refuse("min_rnr_timer", (v) -> v.minRnrTimer(32));
        refuse("timeout", (v) -> v.timeout(32));
        refuse("retry_cnt", (v) -> v.retryCount(8));
        refuse("rnr_retry", (v) -> v.rnrRetry(8));
        refuse("path_mig_state", (v) -> v.pathMigrationState(3));
        refuse("path_mtu", (v) -> v.pathMtu(1500));
        refuse("qp_access_flags", (v) -> v.accessFlags(1 << 30));
        refuse("ah_attr", (v) -> v.addressVector(null));
        refuse("ah_attr", (v) -> v.alternatePath(null));
        refuse("ah_attr.dlid", (v) -> v.addressVector(path(0x1_0000, 0, 0, 0, 64, 1)));
        refuse("sgid_index", (v) -> v.addressVector(path(0, 256, 0, 0, 64, 1)));
        refuse("ah_attr.sl", (v) -> v.addressVector(path(0, 0, 16, 0, 64, 1)));
        refuse("traffic_class", (v) -> v.addressVector(path(0, 0, 0, 256, 64, 1)));
        refuse("hop_limit", (v) -> v.addressVector(path(0, 0, 0, 0, 256, 1)));
        refuse("ah_attr.port_num", (v) -> v.addressVector(path(0, 0, 0, 0, 64, 3)));
    }

    private static void refuse(final String name, final Consumer<QueuePairAttributes> change)
    {
        final QueuePairAttributes attributes = good();
        change.accept(attributes);
        final VerbsException refused =
            assertThrows(VerbsException.class, () -> AttributeRanges.check(attributes, ALL, DEVICE), name);
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains(name), refused.getMessage());
    }

    private static QueuePairAttributes good()
    {
        return new QueuePairAttributes()
            .port(2).pathMtu(4096).destinationQueuePair(17).receivePsn(0xFF_FFFF).sendPsn(0)
            .maxDestinationReadAtomic(16).maxReadAtomic(8).minRnrTimer(31).timeout(31).retryCount(7).rnrRetry(7)
            .addressVector(path(0xFFFF, 255, 15, 255, 255, 2)).alternatePath(path(0, 0, 0, 0, 0, 1));
    }

    private static AddressVector path(
        final int lid, final int gidIndex, final int level, final int trafficClass, final int hops, final int port)
    {
        return new AddressVector(lid, new Gid(1, 2), gidIndex, level, trafficClass, hops, port, new byte[0]);
    }
}
