package org.onesided.tools.load.workload;

import java.util.SplittableRandom;

/**
 * Draws the items of operations. For one thread.
 */
public interface ItemChooser
{
    /**
     * @param random of the calling thread.
     * @return index of an existing item, from 0.
     */
    long draw(SplittableRandom random);
}
