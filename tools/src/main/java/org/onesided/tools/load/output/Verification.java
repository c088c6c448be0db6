package org.onesided.tools.load.output;

import java.io.Serializable;
import java.util.List;

/**
 * The result of verifying values.
 *
 * @param verified number of values; 0 if verification was off.
 * @param faults   by kind; empty if all values were right.
 */
public record Verification(long verified, List<FaultCount> faults) implements Serializable
{
    /**
     * Faults of one kind.
     *
     * @param kind    of fault, such as {@code another-key}.
     * @param count   number.
     * @param example the first one.
     */
    public record FaultCount(String kind, long count, String example) implements Serializable
    {
    }

    /**
     * @return number of faults.
     */
    public long faultCount()
    {
        return faults.stream().mapToLong(FaultCount::count).sum();
    }
}
