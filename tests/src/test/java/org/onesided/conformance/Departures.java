package org.onesided.conformance;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one list of rules that devices do not keep. The test of such a rule still runs: it must fail, and is then shown
 * as skipped with the reason; if it passes, the entry is out of date and the test fails.
 */
final class Departures
{
    /** Soft-RoCE: the kernel's driver rdma_rxe, as of Linux 6.1, and its library. */
    private static final String RXE = "ibv:rxe";

    private static final Pattern WRAPPER = Pattern.compile("chaos:[^:]*:(.+)");

    private static final String CAPACITY =
        "its driver rounds the capacities of queues up and tells those asked for (rxe_queue_init)";

    private static final String SLOTS =
        "its library finds room as soon as the driver is done with a request, signaled and polled or not";

    private static final String RECEIVE_STATUS =
        "whatever is wrong with a receive ends with LOC_QP_OP_ERR there and REM_OP_ERR at the sender (rxe_resp.c)";

    static final List<Departure> ALL = List.of(
        new Departure(
            "shm",
            "GonePeerConformanceTest.shouldReportAGonePeerOnlyAfterTimeoutAndRetries",
            "the kernel tells at once that the peer is gone, so nothing is gained by waiting"),
        new Departure(
            "shm",
            "GonePeerConformanceTest.shouldWaitForEverForAGonePeerWithTimeoutZero",
            "the kernel tells at once that the peer is gone, so nothing is gained by waiting"),
        new Departure(
            "shm",
            "TransferConformanceTest.shouldReadWhatWasSentBefore",
            "the receiver's own thread takes a SEND in, and a READ does not wait for it: the peer may be stopped"),
        new Departure(
            "shm",
            "TransferConformanceTest.shouldCarryAllBetweenSidesThatDistrustEachOther",
            "the rings between two sides are one side's file, which the other has to trust"),
        new Departure(
            "shm",
            "AtomicConformanceTest.shouldDoAtomicsOnAnUntrustedPeer",
            "an atomic works on the peer's memory through a mapping, which an untrusted peer could shrink"),
        new Departure(
            RXE,
            "AtomicConformanceTest.shouldRefuseAnUnalignedWord",
            "its library refuses an unaligned word with EINVAL when it is posted"),
        new Departure(
            RXE,
            "CompletionChannelConformanceTest.shouldWakeASolicitedOnlyWaiterForFailedSends",
            "its driver takes no completion of a send for solicited, failed ones neither (do_complete in rxe_comp.c)"),
        new Departure(
            RXE,
            "CompletionConformanceTest.shouldFreeNoSlotForUnsignaledRequestsAlone",
            SLOTS),
        new Departure(
            RXE,
            "CompletionConformanceTest.shouldFreeOnlyTheSlotsBeforeThePolledCompletion",
            SLOTS),
        new Departure(
            RXE,
            "CompletionConformanceTest.shouldFreeSlotsOnlyWhenALaterSignaledCompletionIsPolled",
            SLOTS),
        new Departure(
            RXE,
            "ErrorConformanceTest.shouldFailASendFromABadLocalKey",
            "a local key that is none ends with LOC_QP_OP_ERR; LOC_PROT_ERR is for ranges only (rxe_requester)"),
        new Departure(
            RXE,
            "ErrorConformanceTest.shouldFailBothSidesOfAReceiveWithABadLocalKey",
            RECEIVE_STATUS),
        new Departure(
            RXE,
            "ErrorConformanceTest.shouldFailBothSidesOfAReceiveWithoutLocalWrite",
            RECEIVE_STATUS),
        new Departure(
            RXE,
            "ErrorConformanceTest.shouldFailBothSidesOfASendThatIsTooLong",
            RECEIVE_STATUS),
        new Departure(
            RXE,
            "GonePeerConformanceTest.shouldReportAGonePeerAfterSevenRetries",
            "it takes 7 retries after timeouts for endless ones (COMPST_ERROR_RETRY in rxe_comp.c)"),
        new Departure(
            RXE,
            "PostingConformanceTest.shouldRefuseReceivesWhenTheQueueIsFull",
            CAPACITY),
        new Departure(
            RXE,
            "PostingConformanceTest.shouldRefuseSendsWhenTheQueueIsFull",
            CAPACITY),
        new Departure(
            RXE,
            "PostingConformanceTest.shouldTakeOnlyAsMuchOfAChainAsThereIsRoomFor",
            CAPACITY),
        new Departure(
            RXE,
            "ProtectionConformanceTest.shouldTellOfARefusedAccessByAnEvent",
            "its driver has no event QP_ACCESS_ERR"),
        new Departure(
            RXE,
            "SharedReceiveConformanceTest.shouldFailOnlyTheQueuePairWhoseMessageIsTooLong",
            RECEIVE_STATUS),
        new Departure(
            RXE,
            "SharedReceiveConformanceTest.shouldRefuseReceivesWhenFull",
            CAPACITY),
        new Departure(
            RXE,
            "SharedReceiveConformanceTest.shouldTellWhenAFailedQueuePairTakesNoMoreOfThem",
            "its driver has no event QP_LAST_WQE_REACHED"),
        new Departure(
            RXE,
            "StateMachineConformanceTest.shouldTakeAnAlternatePath",
            "the kernel allows alternate paths on InfiniBand only (_ib_modify_qp)"));

    private Departures()
    {
    }

    /**
     * @param device full name of a device, such as {@code ibv:rxe0}; of {@code chaos:42:shm} its own, then those of
     *               the device that it wraps.
     * @param rule   as {@code Class.method}.
     */
    static Optional<Departure> find(final String device, final String rule)
    {
        final Optional<Departure> own =
            ALL.stream().filter((d) -> device.startsWith(d.device()) && d.rule().equals(rule)).findFirst();
        final Matcher wrapper = WRAPPER.matcher(device);
        return own.isEmpty() && wrapper.matches() ? find(wrapper.group(1), rule) : own;
    }
}
