package org.onesided.conformance;

import java.util.List;
import java.util.Optional;

/**
 * The one list of rules that devices do not keep. The test of such a rule still runs: it must fail, and is then shown
 * as skipped with the reason; if it passes, the entry is out of date and the test fails.
 */
final class Departures
{
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
            "an atomic works on the peer's memory through a mapping, which an untrusted peer could shrink"));

    private Departures()
    {
    }

    /**
     * @param device full name of a device, such as {@code ibv:rxe0}.
     * @param rule   as {@code Class.method}.
     */
    static Optional<Departure> find(final String device, final String rule)
    {
        return ALL.stream().filter((d) -> device.startsWith(d.device()) && d.rule().equals(rule)).findFirst();
    }
}
