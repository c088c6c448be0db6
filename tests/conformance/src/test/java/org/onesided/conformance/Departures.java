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

    private static final String TCP = "tcp";

    private static final String UNACKNOWLEDGED =
        "iWARP acknowledges no SEND: it completes when it is in the stream (RFC 5040, 5.5)";

    private static final String WAITS =
        "iWARP knows no RNR: a SEND completes when it is in the stream, and waits at the receiver (RFC 5041, 5.3)";

    private static final String NO_IMMEDIATE = "RFC 5040 has no immediate data, which are refused when posted";

    private static final String NO_ATOMICS = "RFC 5040 has no atomics, which are refused when posted";

    private static final String TOLD = "the end of its connection tells at once that the peer is gone";

    private static final String IN_PROCESS =
        "the device is a thread of the peer's process, and stops with it; not run, since it would wait in vain";

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
            "the kernel allows alternate paths on InfiniBand only (_ib_modify_qp)"),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldFailWithABadLocalKeyForTheOldValue",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldDoAtomicsOnAnUntrustedPeer",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldFetchAndAdd",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldGiveALockToOneOnly",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldLoseNoIncrementOfTwoQueuePairs",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldNotSwapIfDifferent",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldReadWhatItAdded",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldRefuseAnUnalignedWord",
            NO_ATOMICS),
        new Departure(
            TCP,
            "AtomicConformanceTest.shouldSwapIfEqual",
            NO_ATOMICS),
        new Departure(
            TCP,
            "CompletionChannelConformanceTest.shouldWakeASleepingSenderWhenItGivesUp",
            WAITS),
        new Departure(
            TCP,
            "CompletionChannelConformanceTest.shouldWakeASolicitedOnlyWaiterForAWriteWithImmediate",
            NO_IMMEDIATE),
        new Departure(
            TCP,
            "ErrorConformanceTest.shouldFailBothSidesOfAReceiveWithABadLocalKey",
            UNACKNOWLEDGED),
        new Departure(
            TCP,
            "ErrorConformanceTest.shouldFailBothSidesOfAReceiveWithoutLocalWrite",
            UNACKNOWLEDGED),
        new Departure(
            TCP,
            "ErrorConformanceTest.shouldFailBothSidesOfASendThatIsTooLong",
            UNACKNOWLEDGED),
        new Departure(
            TCP,
            "ErrorConformanceTest.shouldFlushSendsThatWaitForAReceive",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "GonePeerConformanceTest.shouldFailEveryOperationOnAPeerThatWasDestroyed",
            UNACKNOWLEDGED,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "GonePeerConformanceTest.shouldFailWhatIsOutstandingWhenThePeerIsDestroyed",
            UNACKNOWLEDGED,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "GonePeerConformanceTest.shouldReportAGonePeerOnlyAfterTimeoutAndRetries",
            TOLD,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "GonePeerConformanceTest.shouldWaitForEverForAGonePeerWithTimeoutZero",
            TOLD,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "ProcessConformanceTest.shouldLeaveTheFilesOfAStoppedProcessAlone",
            IN_PROCESS,
            Departure.Fails.SLOWLY),
        new Departure(
            TCP,
            "ProcessConformanceTest.shouldReadFromAPeerThatIsStopped",
            IN_PROCESS,
            Departure.Fails.SLOWLY),
        new Departure(
            TCP,
            "ProcessConformanceTest.shouldTellSoonThatItsPeerWasKilled",
            "a side that waits for the other to connect does not see that one's process end before it did",
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "ProcessConformanceTest.shouldWakeASleeperWhosePeerIsKilled",
            UNACKNOWLEDGED + "; not run, since it would wait in vain",
            Departure.Fails.SLOWLY),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldGiveUpAfterAllRetries",
            WAITS),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldGiveUpAtOnceWithoutRetries",
            WAITS),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldHoldBackWhatIsBehind",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldNeedAReceiveForAWriteWithImmediate",
            NO_IMMEDIATE),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldRetryAgainInFullForTheNextMessage",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldRetryForEverWithSeven",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldRetryNoOftenerThanTheCount",
            WAITS),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldRetryWithinTheCount",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldSucceedOnceAReceiveIsPosted",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "RnrConformanceTest.shouldTakeTheReceiversTimerCodeZeroAs655Millis",
            WAITS),
        new Departure(
            TCP,
            "SharedReceiveConformanceTest.shouldBeNotReadyWhenEmpty",
            WAITS,
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "SharedReceiveConformanceTest.shouldFailOnlyTheQueuePairWhoseMessageIsTooLong",
            UNACKNOWLEDGED),
        new Departure(
            TCP,
            "TransferConformanceTest.shouldCarryLargeMessagesOneBehindTheOther",
            "messages that find no receive wait in a bounded buffer, longer ones end the connection",
            Departure.Fails.AT_TIMES),
        new Departure(
            TCP,
            "TransferConformanceTest.shouldCarryMessagesOfNoLengthWithImmediate",
            NO_IMMEDIATE),
        new Departure(
            TCP,
            "TransferConformanceTest.shouldSendWithImmediate",
            NO_IMMEDIATE),
        new Departure(
            TCP,
            "TransferConformanceTest.shouldWriteWithImmediate",
            NO_IMMEDIATE));

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
