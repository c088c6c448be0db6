package org.onesided.tools.load.workload;

import java.util.SplittableRandom;

/**
 * Draws the items that are asked for. For one thread.
 */
public interface ItemChooser
{
    /**
     * @param random of the calling thread.
     * @return index of an item that is there, from 0.
     */
    long draw(SplittableRandom random);
}
