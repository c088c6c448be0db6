/**
 * What is left of the writes of a store on disk when the machine loses its power, or the disk fails: of each sequence
 * of writes a beginning, with all that was acknowledged if the log is forced first. {@code PlugRun} is a program for
 * this machine, {@code BadDisk} and {@code FlushPoints} are programs for the virtual machine.
 */
package org.onesided.powercut;
