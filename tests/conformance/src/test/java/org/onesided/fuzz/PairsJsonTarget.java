package org.onesided.fuzz;

import java.util.List;
import org.onesided.tools.kvctl.pairs.PairFormat;

/**
 * Pairs in JSON, a line for each.
 */
public final class PairsJsonTarget extends PairsTarget
{
    /**
     * For {@code ServiceLoader}.
     */
    public PairsJsonTarget()
    {
        super(PairFormat.JSONL);
    }

    @Override
    public List<String> words()
    {
        return List.of("{", "}", "[", "\"", ":", ",", "\n", "\r\n", "\"key\"", "\"key64\"", "\"value\"",
            "\"value64\"", "\\u0000", "\\ud800", "\\", "null", "1e999999999", "AAAA====", "\u00e9", "/*");
    }
}
