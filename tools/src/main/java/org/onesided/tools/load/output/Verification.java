package org.onesided.tools.load.output;

import java.util.List;

/**
 * What came of verifying the values that were read.
 *
 * @param verified how many values were verified, 0 if it was off.
 * @param faults   by kind; empty if all were as they should be.
 */
public record Verification(long verified, List<FaultCount> faults)
{
    /**
     * Faults of one kind.
     *
     * @param kind    of fault, such as {@code another-key}.
     * @param count   how many.
     * @param example what was found first.
     */
    public record FaultCount(String kind, long count, String example)
    {
    }

    /**
     * @return faults of all kinds.
     */
    public long faultCount()
    {
        return faults.stream().mapToLong(FaultCount::count).sum();
    }
}
