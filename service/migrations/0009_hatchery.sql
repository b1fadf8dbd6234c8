-- The hatchery asks how fast documents come and how many wait, and tells what it did on the operator's stream.
grant select on sequence work_positions to concord_kernel;
grant insert on kernel_log to concord_kernel;
grant usage on sequence kernel_seqs to concord_kernel;
