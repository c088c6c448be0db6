package org.onesided.fuzz;

import java.util.List;
import org.onesided.tools.kvctl.pairs.PairFormat;

/**
 * Pairs with a tab between key and value.
 */
public final class PairsTsvTarget extends PairsTarget
{
    /**
     * For {@code ServiceLoader}.
     */
    public PairsTsvTarget()
    {
        super(PairFormat.TSV);
    }

    @Override
    public List<String> words()
    {
        return List.of("\t", "\n", "\r\n", "\\", "\\t", "\\n", "\\x", "\\x0", "\\xFF", "\\\\", "\u00e9", "\0");
    }
}
