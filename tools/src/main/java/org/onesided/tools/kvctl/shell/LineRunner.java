package org.onesided.tools.kvctl.shell;

import java.util.List;

/**
 * Carries lines out.
 */
public interface LineRunner
{
    /**
     * Tells where the next line is, for what is said about it. Lines that are typed have no numbers.
     *
     * @param number of the line, from 1.
     */
    void begin(long number);

    /**
     * Carries a line out; whatever is wrong with it is told, and not thrown.
     *
     * @param words of the line; at least one.
     * @return whether it was done.
     */
    boolean run(List<String> words);

    /**
     * Tells that a line is not one.
     *
     * @param message in one line.
     */
    void refuse(String message);

    /**
     * Finds what may be typed in a word's place.
     *
     * @param words  typed so far.
     * @param index  of the word.
     * @param cursor in the word.
     * @return all words that go on from what stands before the cursor.
     */
    List<String> complete(List<String> words, int index, int cursor);
}
